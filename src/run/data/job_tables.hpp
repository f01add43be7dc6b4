// The tables that a job counts rules on.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "src/core/agreement.hpp"
#include "src/core/bytes.hpp"
#include "src/core/report.hpp"
#include "src/core/thread_pool.hpp"
#include "src/eval/device.hpp"
#include "src/run/data/job_rows.hpp"
#include "src/run/machine/backend.hpp"
#include "src/run/machine/teams.hpp"

namespace atl {

/// Those searched and those held out, each as the search sees them or with every value.
enum class JobTable : std::uint8_t { search, held_out, exact_search, exact_held_out };

/// Rows are read, and come to the rank's device, when they are first asked for. Where rank 0 has a
/// team, what rank 0 asks for within lead() reaches the other members, which count their parts.
class JobTables {
 public:
  /// All must outlive it.
  /// @param read_exact  the same rows with every value; collective in this rank's team, if it has
  /// one
  /// @param search  of rows.search; joins the team
  /// @param teams   null: one process
  JobTables(const JobRows& rows, std::function<JobRows()> read_exact, Backend& backend,
            std::shared_ptr<Resident> search, ThreadPool& pool, const Report& report,
            const Teams* teams = nullptr);
  JobTables(const JobTables&) = delete;
  JobTables& operator=(const JobTables&) = delete;

  ThreadPool& pool() noexcept { return pool_; }
  const JobRows& rows() const noexcept { return rows_; }
  /// With every value, read once more where some are binned. @throws what reading throws
  const JobRows& exact_rows();
  /// @throws BackendUnavailable
  Resident& resident(JobTable table);

  /// Rank 0 does some work alone; the other members of its team count for it meanwhile. What fails
  /// on rank 0 is thrown on all ranks. Collective over `ranks`.
  void lead(Communicator& ranks, const std::function<void()>& work);

 private:
  enum class Request : std::uint8_t { end, read, open, count };

  Outcome serve();
  void serve(Request kind, ByteReader& in);
  void request(const ByteWriter& what);
  void open(JobTable table);
  void warn_of_cpu(const std::string& lost) const;
  void take(JobTable table, std::shared_ptr<Resident> resident);
  const Dataset& rows_of(JobTable table) const;

  const JobRows& rows_;
  const std::function<JobRows()> read_exact_;
  Backend& backend_;
  ThreadPool& pool_;
  const Report& report_;
  const Teams* teams_;
  LocalCommunicator alone_;
  Communicator& team_;  // of this rank; that above if it has none
  bool leads_ = false;  // right now
  std::optional<JobRows> exact_;
  std::array<std::shared_ptr<Resident>, 4> residents_;
};

}  // namespace atl
