#include "src/run/data/job_tables.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "src/core/error.hpp"

namespace atl {
namespace {

void put(ByteWriter& out, const CountingOptions& options) {
  out.put(static_cast<std::uint8_t>(options.comparison_supports));
  out.put(static_cast<std::uint8_t>(options.coverage_hashes));
  out.put(static_cast<std::uint8_t>(options.exclude_missing_consequent));
  out.put(static_cast<std::uint8_t>(options.mean.has_value()));
  if (!options.mean) return;
  out.put(options.mean->attribute);
  out.put(static_cast<std::uint8_t>(options.mean->low));
  out.put(static_cast<std::uint8_t>(options.mean->deviations));
}

CountingOptions get_options(ByteReader& in) {
  CountingOptions options;
  options.comparison_supports = in.get_flag();
  options.coverage_hashes = in.get_flag();
  options.exclude_missing_consequent = in.get_flag();
  if (!in.get_flag()) return options;
  MeanTarget& mean = options.mean.emplace();
  mean.attribute = in.get<std::uint32_t>();
  mean.low = in.get_flag();
  mean.deviations = in.get_flag();
  return options;
}

// Unlike those of checkpoints, sides may be empty.
void put(ByteWriter& out, const Expression& side) {
  out.put_all(side.program());
  for (const Comparison& comparison : side.comparisons()) {
    out.put(comparison.attribute);
    out.put(comparison.low);
    out.put(comparison.high);
    out.put(static_cast<std::uint8_t>(comparison.negated));
  }
}

Expression get_side(ByteReader& in) {
  const auto program = in.get_all<Op>();
  if (program.empty()) return {};
  Comparisons comparisons;
  for (auto left = std::count(program.begin(), program.end(), Op::comparison); left > 0; --left) {
    Comparison comparison;
    comparison.attribute = in.get<std::uint32_t>();
    comparison.low = in.get<std::uint32_t>();
    comparison.high = in.get<std::uint32_t>();
    comparison.negated = in.get_flag();
    comparisons.push_back(comparison);
  }
  return Expression(Ops(program), comparisons);
}

}  // namespace

JobTables::JobTables(const JobRows& rows, std::function<JobRows()> read_exact, Backend& backend,
                     std::shared_ptr<Resident> search, ThreadPool& pool, const Report& report,
                     const Teams* teams)
    : rows_(rows),
      read_exact_(std::move(read_exact)),
      backend_(backend),
      pool_(pool),
      report_(report),
      teams_(teams),
      team_(teams != nullptr && teams->members() != nullptr ? *teams->members() : alone_) {
  take(JobTable::search, std::move(search));
}

const Dataset& JobTables::rows_of(JobTable table) const {
  const bool exact = table == JobTable::exact_search || table == JobTable::exact_held_out;
  const JobRows& rows = exact && exact_ ? *exact_ : rows_;
  const bool held_out = table == JobTable::held_out || table == JobTable::exact_held_out;
  return held_out ? *rows.held_out : rows.search;
}

const JobRows& JobTables::exact_rows() {
  const auto attributes = rows_.search.attributes();
  const bool some_binned = std::any_of(attributes.begin(), attributes.end(),
                                       [](const Attribute& a) { return a.binned(); });
  if (!some_binned) return rows_;
  if (!exact_) {
    ByteWriter what;
    what.put(Request::read);
    request(what);
    exact_.emplace(read_exact_());
  }
  return *exact_;
}

Resident& JobTables::resident(JobTable table) {
  if (table == JobTable::exact_search && &exact_rows() == &rows_) table = JobTable::search;
  if (table == JobTable::exact_held_out && &exact_rows() == &rows_) table = JobTable::held_out;
  const auto& known = residents_[static_cast<std::size_t>(table)];
  if (known == nullptr) {
    ByteWriter what;
    what.put(Request::open);
    what.put(table);
    request(what);
    open(table);
  }
  return *known;
}

void JobTables::open(JobTable table) {
  const bool had_device = backend_.has_device();
  std::shared_ptr<Resident> opened;
  on_all(team_, [&] { opened = backend_.load(rows_of(table), pool_); });
  take(table, std::move(opened));
  const bool lost = had_device && !backend_.has_device();
  warn_of_cpu(lost ? backend_.reason() : std::string());
}

/// @param lost  why this rank's device does not have the table; empty: it has
void JobTables::warn_of_cpu(const std::string& lost) const {
  ByteWriter own;
  own.put_text(lost);
  const auto all = team_.all_gather(own.bytes());
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const std::string reason = ByteReader(all[rank]).get_text();
    if (reason.empty()) continue;
    const std::string text = "the rest is counted on the CPU: " + reason;
    report_(Severity::warning, all.size() == 1 ? text : with_rank(static_cast<int>(rank), text));
  }
}

// Keeps a table. What rank 0 counts on it while it leads reaches its team.
void JobTables::take(JobTable table, std::shared_ptr<Resident> resident) {
  Resident& taken = *(residents_[static_cast<std::size_t>(table)] = std::move(resident));
  taken.read_with(pool_);
  if (team_.size() == 1) return;
  taken.join(*teams_->counting(),
             [this, table](std::span<const Rule> rules, const CountingOptions& options) {
               ByteWriter what;
               what.put(Request::count);
               what.put(table);
               put(what, options);
               what.put(static_cast<std::uint64_t>(rules.size()));
               for (const Rule& rule : rules) {
                 put(what, rule.antecedent);
                 put(what, rule.consequent);
               }
               request(what);
             });
}

/// Sends a request to the members that serve, if rank 0 leads.
void JobTables::request(const ByteWriter& what) {
  if (leads_) team_.broadcast(Bytes(what.bytes()), 0);
}

void JobTables::lead(Communicator& ranks, const std::function<void()>& work) {
  const bool alone = team_.size() == 1 || !teams_->in_first_team();
  if (alone) return on_root(ranks, work);
  if (team_.rank() != 0) {
    all_outcomes(serve(), team_);
    return on_root(ranks, [] {});
  }
  on_root(ranks, [&] {
    leads_ = true;
    std::exception_ptr failure;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    ByteWriter end;
    end.put(Request::end);
    request(end);
    leads_ = false;
    const auto all = all_outcomes({}, team_);
    if (!failure) return;
    const auto its = std::find_if(all.begin(), all.end(), failed_itself);
    if (its == all.end()) std::rethrow_exception(failure);
    throw Error(its->status, with_rank(static_cast<int>(its - all.begin()), its->message));
  });
}

// Serves the requests of rank 0. What fails here fails on rank 0, too, which tells all.
/// @return of the first request that failed
Outcome JobTables::serve() {
  Outcome first;
  while (true) {
    const Bytes what = team_.broadcast({}, 0);
    ByteReader in(what);
    const auto kind = in.get<Request>();
    if (kind == Request::end) return first;
    const Outcome outcome = outcome_of([&] {
      serve(kind, in);
      return ExitStatus::done;
    });
    if (outcome.failed && !first.failed) first = outcome;
  }
}

void JobTables::serve(Request kind, ByteReader& in) {
  if (kind == Request::read) {
    exact_.emplace(read_exact_());
    return;
  }
  const auto table = in.get<JobTable>();
  if (kind == Request::open) return open(table);
  const CountingOptions options = get_options(in);
  std::vector<Rule> rules(in.get_count(1));
  for (Rule& rule : rules) {
    rule.antecedent = get_side(in);
    rule.consequent = get_side(in);
  }
  residents_[static_cast<std::size_t>(table)]->count(rules, options);
}

}  // namespace atl
