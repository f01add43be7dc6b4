// A task of one's own: lists the primes below a number on any number of ranks, can be stopped, and
// goes on. usage: prime_task NUMBER OUT [SECONDS to stop after]
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "mpi/session.hpp"
#include "src/work/run_task.hpp"

using namespace atl;

namespace {

class Primes final : public Task {
 public:
  explicit Primes(std::uint64_t below) : below_(below) {}

  void prepare(Worker&) override {}  // no data
  Identity identity() const override {
    return {"primes", 1, {{"another number", std::to_string(below_)}}};
  }
  std::vector<Piece> pieces(int) override { return {piece(2, below_)}; }
  void expect(const Piece& piece) const override {
    const auto [first, end] = ends(piece);
    require_bytes(first < end && end <= below_, "no such numbers");
  }
  std::vector<Piece> split(const Piece& whole, int ranks) const override {
    const auto [first, end] = ends(whole);
    if (end - first < 1000) return {};
    const std::uint64_t middle = first + (end - first) / (2 * static_cast<std::uint64_t>(ranks));
    return {piece(first, middle), piece(middle, end)};
  }
  void merge(std::span<const std::byte> found) override {
    count_ += ByteReader(found).get<std::uint64_t>();
  }
  void save(ByteWriter& out) override { out.put(count_); }
  void load(ByteReader& in) override { count_ = in.get<std::uint64_t>(); }
  std::string finish(const WriteText& write) override {
    write("# " + std::to_string(count_) + "\n");
    return std::to_string(count_) + " primes below " + std::to_string(below_);
  }
  Done work(std::span<const Piece> pieces, const WriteText& write, Worker&,
            const std::stop_token& stop) override {
    Done done;
    std::uint64_t primes = 0;
    for (const Piece& range : pieces) {
      auto [n, end] = ends(range);
      for (; n < end && !stop.stop_requested(); ++n) {
        std::uint64_t d = 2;
        while (d * d <= n && n % d != 0) ++d;
        if (d * d <= n) continue;
        write(std::to_string(n) + "\n");
        ++primes;
      }
      if (n < end) done.rest.push_back({{piece(n, end)}, ""});
    }
    ByteWriter found;
    found.put(primes);
    done.found = std::move(found).take();
    return done;
  }

 private:
  static Piece piece(std::uint64_t first, std::uint64_t end) {
    ByteWriter out;
    out.put(first);
    out.put(end);
    return std::move(out).take();
  }
  static std::pair<std::uint64_t, std::uint64_t> ends(const Piece& piece) {
    ByteReader in(piece);
    const auto first = in.get<std::uint64_t>();
    return {first, in.get<std::uint64_t>()};
  }

  std::uint64_t below_, count_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "usage: prime_task NUMBER OUT [SECONDS]\n"), 64;
  Primes primes(std::stoull(argv[1]));
  TaskJob job;
  job.to_file = true;
  job.output = argv[2];
  if (argc > 3) job.limits.stop_after = std::stod(argv[3]);

  LocalCommunicator alone;
  std::optional<mpi::Session> session;
  if (mpi::launched()) session.emplace(argc, argv);
  Communicator& ranks = session ? session->world() : static_cast<Communicator&>(alone);
  const Report report = [&](Severity, const std::string& line) {
    if (ranks.rank() == 0) std::fprintf(stderr, "%s\n", line.c_str());
  };
  try {
    return static_cast<int>(run_task(primes, job, {ranks, report}));
  } catch (const Error& error) {
    report(Severity::warning, error.what());
    return static_cast<int>(error.status());
  }
}
