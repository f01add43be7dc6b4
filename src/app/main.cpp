#include "src/app/program.hpp"

int main(int argc, char** argv) {
  return atl::run_program(argc, argv);
}
