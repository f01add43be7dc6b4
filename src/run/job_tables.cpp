#include "src/run/job_tables.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "src/core/bytes.hpp"
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

/// What a member's device has failed by, and not only that one has.
void throw_of_member(const std::vector<Outcome>& members) {
  for (std::size_t rank = 0; rank < members.size(); ++rank) {
    const Outcome& its = members[rank];
    if (!its.failed || its.message == CountingTeam::other_failed) continue;
    throw Error(its.status, with_rank(static_cast<int>(rank), its.message));
  }
}

}  // namespace

JobTables::JobTables(const JobSettings& settings, const JobRows& rows, Backend& backend,
                     Resident& search, ThreadPool& pool, const Report& report, const Teams* teams)
    : settings_(settings),
      rows_(rows),
      backend_(backend),
      pool_(pool),
      report_(report),
      teams_(teams) {
  residents_[static_cast<std::size_t>(JobTable::search)] = &search;
  join(search, JobTable::search);
}

Communicator* JobTables::team() const noexcept {
  return teams_ != nullptr && teams_->in_first_team() ? teams_->members() : nullptr;
}

const Dataset& JobTables::rows_of(JobTable table) const {
  const bool exact = table == JobTable::exact_search || table == JobTable::exact_held_out;
  const JobRows& rows = exact && exact_ ? *exact_ : rows_;
  const bool held_out = table == JobTable::held_out || table == JobTable::exact_held_out;
  return held_out ? *rows.held_out : rows.search;
}

const JobRows& JobTables::exact_rows() {
  if (!std::exchange(exact_known_, true)) {
    const auto attributes = rows_.search.attributes();
    if (std::any_of(attributes.begin(), attributes.end(),
                    [](const Attribute& a) { return a.binned(); })) {
      ByteWriter what;
      what.put(Request::read);
      request(what);
      read_exact();
    }
  }
  return exact_ ? *exact_ : rows_;
}

void JobTables::read_exact() {
  exact_.emplace(load_exact_rows(settings_, rows_.search, has_members() ? teams_ : nullptr));
}

Resident& JobTables::resident(JobTable table) {
  Resident*& known = residents_[static_cast<std::size_t>(table)];
  const bool same = table == JobTable::exact_search && &exact_rows() == &rows_;
  if (same) return resident(JobTable::search);
  if (table == JobTable::exact_held_out && &exact_rows() == &rows_) {
    return resident(JobTable::held_out);
  }
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
  const auto load = [&] { opened = backend_.load(rows_of(table), pool_); };
  if (Communicator* const members = team()) {
    on_all(*members, load);
  } else {
    load();
  }
  join(*opened, table);
  const bool lost = had_device && !backend_.has_device();
  warn_of_cpu(lost ? backend_.reason() : std::string());
  residents_[static_cast<std::size_t>(table)] = opened.get();
  opened_.push_back(std::move(opened));
}

/// @param lost  why this rank's device does not have the table; empty: it has
void JobTables::warn_of_cpu(const std::string& lost) const {
  constexpr const char* text = "the rest is counted on the CPU: ";
  Communicator* const members = team();
  if (members == nullptr) {
    if (!lost.empty()) report_(Severity::warning, text + lost);
    return;
  }
  ByteWriter own;
  own.put_text(lost);
  const auto all = members->all_gather(own.bytes());
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const std::string its = ByteReader(all[rank]).get_text();
    if (its.empty()) continue;
    report_(Severity::warning, with_rank(static_cast<int>(rank), text + its));
  }
}

// From now on what rank 0 counts alone reaches its team.
void JobTables::join(Resident& resident, JobTable table) {
  if (team() == nullptr) return;
  resident.join(*teams_->counting(),
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

/// To the members that serve, if rank 0 leads.
void JobTables::request(const ByteWriter& what) {
  if (leads_) team()->broadcast(Bytes(what.bytes()), 0);
}

void JobTables::lead(Communicator& ranks, const std::function<void()>& work) {
  Communicator* const members = team();
  if (members == nullptr) return on_root(ranks, work);
  if (members->rank() != 0) {
    all_outcomes(serve(), *members);
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
    const auto others = all_outcomes({}, *members);
    if (!failure) return;
    throw_of_member(others);
    std::rethrow_exception(failure);
  });
}

// What fails here fails on rank 0, too, which tells all.
/// @return of the first request that failed
Outcome JobTables::serve() {
  Outcome first;
  while (true) {
    const Bytes what = team()->broadcast({}, 0);
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
  if (kind == Request::read) return read_exact();
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
