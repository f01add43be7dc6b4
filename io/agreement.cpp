#include "io/agreement.hpp"

#include <algorithm>
#include <string>

#include "src/core/error.hpp"

namespace atl::io {
namespace {

void put(ByteWriter& out, ExitStatus status, const std::string& path, const std::string& message) {
  out.put(status);
  out.put_text(path);
  out.put_text(message);
}

Bytes describe(const std::exception_ptr& failure) {
  ByteWriter out;
  try {
    std::rethrow_exception(failure);
  } catch (const BadData& error) {
    put(out, error.status(), error.file, error.what());
  } catch (const MissingInput& error) {
    put(out, error.status(), error.path, error.what());
  } catch (const IoError& error) {
    put(out, error.status(), error.path, error.what());
  } catch (const CannotCreate& error) {
    put(out, error.status(), error.path, error.what());
  } catch (const Error& error) {
    put(out, error.status(), "", error.what());
  } catch (const std::exception& error) {
    put(out, ExitStatus::internal, "", error.what());
  }
  return std::move(out).take();
}

[[noreturn]] void raise(const Bytes& description) {
  ByteReader in(description);
  const auto status = in.get<ExitStatus>();
  const std::string path = in.get_text();
  const std::string message = in.get_text();
  // The types put "path: " before the problem themselves.
  const std::string problem = message.substr(std::min(message.size(), path.size() + 2));
  switch (status) {
    case ExitStatus::usage:
      throw UsageError(message);
    case ExitStatus::bad_data:
      throw BadData(path, problem);
    case ExitStatus::no_input:
      throw MissingInput(path, problem);
    case ExitStatus::cannot_create:
      throw CannotCreate(path, problem);
    case ExitStatus::io_error:
      throw IoError(path, problem);
    default:
      throw Error(status, message);
  }
}

}  // namespace

std::exception_ptr failure_of(const std::function<void()>& work) {
  try {
    work();
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

void agree(Communicator& communicator, const std::exception_ptr& failure) {
  const Bytes mine = failure == nullptr ? Bytes{} : describe(failure);
  for (const Bytes& description : communicator.all_gather(mine)) {
    if (!description.empty()) raise(description);
  }
}

}  // namespace atl::io
