#include "src/app/itemsets/itemset_job.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "cuda/itemsets/itemset_counter.hpp"
#include "src/app/backend.hpp"
#include "src/app/itemset_memory.hpp"
#include "src/app/itemsets/rank_search.hpp"
#include "src/app/itemsets/search_checkpoint.hpp"
#include "src/app/itemsets/search_lead.hpp"
#include "src/app/itemsets/search_messages.hpp"
#include "src/app/itemsets/search_output.hpp"
#include "src/app/itemsets/search_progress.hpp"
#include "src/core/agreement.hpp"
#include "src/core/stopwatch.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/transactions/shared_transactions.hpp"
#include "src/run/data/transaction_data.hpp"
#include "src/work/progress_display.hpp"
#include "src/work/rank_place.hpp"
#include "src/work/stop_signals.hpp"
#include "src/work/temporary_folder.hpp"

namespace atl {

std::string count_table(std::span<const std::uint64_t> counts) {
  std::string text = "length\tsets\n";
  for (std::size_t length = 1; length < counts.size(); ++length) {
    if (counts[length] != 0) text += fmt::format("{}\t{}\n", length, counts[length]);
  }
  return text;
}

std::uint64_t sum_of(std::span<const std::uint64_t> counts) {
  std::uint64_t all = 0;
  for (const std::uint64_t sets : counts) all = all + sets < all ? ~std::uint64_t{0} : all + sets;
  return all;
}

namespace {

using Clock = std::chrono::steady_clock;

/// A job searches at least so long before it stops for its time, so that a row of them gets on.
constexpr double least_seconds = 0.05;

/// The job's side of rank 0: output, checkpoints, time.
class RootJob {
 public:
  RootJob(const ItemsetsOptions& options, const ItemsetsSettings& settings, const Context& context)
      : options_(options),
        settings_(settings),
        context_(context),
        lists_(!options.count_only),
        checkpoint_(options.output, context.report),
        spool_([this]() -> const io::Folder& { return waiting_text_folder(); }),
        ledger_(spool_, [this](std::string_view text) { output_.write(text); }) {
    if (settings.to_file) output_ = SearchOutput(options.output);
  }

  /// @param transactions  must outlive it
  void begin(const TransactionSet& transactions, const ItemsetLimits& limits) {
    transactions_ = &transactions;
    limits_ = limits;
    if (!settings_.to_file) return;
    auto state = checkpoint_.load([this] { return identity(); }, options_.force);
    if (state) take_up(std::move(*state));
    signals_.emplace();
  }

  ExitStatus search(RankSearch& search) {
    if (!resumed_) ledger_.add(search.whole(context_.communicator.size()));
    progress_.emplace(ledger_.items_left());
    std::optional<DeviceRace> race;
    if (settings_.machine.backend == "auto" && context_.communicator.size() == 1) {
      race.emplace(settings_.machine, *transactions_, limits_, context_.report);
    }
    searching_since_ = last_save_ = Clock::now();
    const LeadSteps steps{[&](const LeadView& view) {
                            if (race && (counts_ = race->poll(view.own_is_done))) return Due::end;
                            show_progress(view);
                            return due(view.signalled);
                          },
                          [&] { save(); }, settings_.to_file || race};
    try {
      return lead_search(search, ledger_, found_, steps, context_.communicator);
    } catch (const ReaderGone&) {
      nobody_reads_ = true;
      return ExitStatus::done;
    }
  }

  /// After an error.
  void say_how_to_go_on() const {
    if (!checkpoint_.is_kept()) return;
    context_.report(Severity::info, "a checkpoint is in " + checkpoint_.path() +
                                        ", and the same command goes on from there");
  }

  /// Writes what is left to write, or says how to go on.
  void finish(ExitStatus status) {
    display_.reset();
    if (nobody_reads_) return;
    if (status == ExitStatus::stopped) {
      context_.report(Severity::info, "stopped; what was found is in " + checkpoint_.path() +
                                          ", and the same command goes on from there");
      return;
    }
    std::uint64_t sets = found_.sets;
    if (!lists_) {
      if (!counts_) counts_ = asked_lengths(found_.tally.by_length(), limits_);
      try {
        output_.write(count_table(*counts_));
      } catch (const ReaderGone&) {
        return;
      }
      sets = sum_of(*counts_);
    }
    output_.commit();
    checkpoint_.remove();
    context_.report(Severity::info,
                    fmt::format("{} in at least {} of {}", counted(sets, "set"), limits_.min_count,
                                counted(transactions_->size(), "transaction")));
  }

 private:
  const io::Folder& waiting_text_folder() {
    if (settings_.to_file) return checkpoint_.folder();
    if (!temporary_) temporary_ = std::make_unique<TemporaryFolder>();
    return temporary_->folder();
  }

  const SearchIdentity& identity() {
    if (!identity_) identity_ = identity_of(*transactions_, limits_, lists_);
    return *identity_;
  }

  void take_up(SearchState state) {
    resumed_ = true;
    before_ = state.seconds;
    found_.sets = state.sets;
    found_.tally = std::move(state.tally);
    if (lists_) {
      output_.take_up(options_.output, checkpoint_.folder(), std::move(state.output));
    }
    spool_.keep_files();
    for (auto& piece : state.pieces) {
      if (auto* const range = std::get_if<SearchRange>(&piece)) {
        ledger_.add(std::move(*range));
      } else {
        ledger_.add(spool_.take_up(std::get<TextPart>(piece).file, std::get<TextPart>(piece).size,
                                   std::get<TextPart>(piece).hash));
      }
    }
    context_.report(Severity::info, "going on from " + checkpoint_.path() +
                                        fmt::format(", {:.0f} s of search", before_));
  }

  Due due(bool signalled) {
    if (!settings_.to_file) return Due::nothing;
    const double searched = seconds_since(searching_since_);
    if (signals_->count() > 0 || signalled) return stop();
    if (settings_.stop_after > 0 && seconds_since(settings_.start) >= settings_.stop_after &&
        searched >= least_seconds) {
      return stop();
    }
    return seconds_since(last_save_) >= settings_.checkpoint_every ? Due::checkpoint : Due::nothing;
  }
  Due stop() {
    stopping_ = true;
    return Due::stop;
  }

  void show_progress(const LeadView& view) {
    const double searched = seconds_since(searching_since_);
    if (searched < 1 || seconds_since(last_look_) < 1) return;
    last_look_ = Clock::now();
    const auto left = view.items_left();
    if (!left) return;
    progress_->note(searched, *left);
    if (!display_) display_.emplace();
    display_->show(progress_->line());
  }

  void save() {
    try {
      SearchState state;
      state.identity = identity();
      state.seconds = before_ + seconds_since(searching_since_);
      state.sets = found_.sets;
      state.tally = found_.tally;
      spool_.keep_files();
      for (const SearchLedger::Piece* piece : ledger_.sync()) {
        if (const auto* const range = std::get_if<SearchRange>(piece)) {
          state.pieces.emplace_back(*range);
        } else {
          const auto& text = std::get<SpooledText>(*piece);
          state.pieces.emplace_back(TextPart{text.file, text.file_size, text.hash});
        }
      }
      if (lists_) state.output = output_.park(checkpoint_.folder());
      checkpoint_.save(state);
      spool_.remove_unneeded();
    } catch (const Error& error) {
      if (stopping_) throw;
      context_.report(Severity::warning,
                      std::string(error.what()) + "; the search goes on without this checkpoint");
    }
    last_save_ = Clock::now();
  }

  const ItemsetsOptions& options_;
  const ItemsetsSettings& settings_;
  const Context& context_;
  const bool lists_;
  const TransactionSet* transactions_ = nullptr;
  ItemsetLimits limits_;
  std::optional<SearchIdentity> identity_;
  SearchOutput output_;
  SearchCheckpoint checkpoint_;
  std::unique_ptr<TemporaryFolder> temporary_;
  TextSpool spool_;
  SearchLedger ledger_;
  FoundSets found_;
  std::optional<std::vector<std::uint64_t>> counts_;
  std::optional<StopSignals> signals_;
  bool resumed_ = false;
  bool nobody_reads_ = false;
  bool stopping_ = false;
  double before_ = 0;  // seconds of former jobs
  Clock::time_point searching_since_, last_save_, last_look_;
  std::optional<SearchProgress> progress_;
  std::optional<ProgressDisplay> display_;
};

/// The counter of this rank's GPU, or null. Collective.
/// @throws BackendUnavailable on all ranks if one has none
std::unique_ptr<ItemsetCounter> device_of_rank(const ItemsetsSettings& settings,
                                               const TransactionSet& transactions,
                                               const ItemsetLimits& limits,
                                               const Context& context) {
  if (settings.machine.backend != "cuda") return nullptr;
  Machine machine;
  machine.backend = settings.machine.backend;
  machine.threads = settings.machine.threads;
  machine.device_memory = settings.machine.device_memory;
  Communicator& ranks = context.communicator;
  const BackendChoice choice = choose_backend(machine, {transactions.size()}, ranks);
  std::unique_ptr<ItemsetCounter> counter;
  on_all(ranks, [&] {
    counter = cuda::make_itemset_counter(transactions, choice.options);
    counter->prepare(limits);
  });
  context.report(Severity::info,
                 fmt::format("each of {} counts on {}: {}",
                             counted(static_cast<std::size_t>(ranks.size()), "rank"),
                             choice.sharing > 1 ? "a GPU shared with others" : "a GPU of its own",
                             choice.device->name));
  return counter;
}

/// Threads of this rank, and the part of the memory that it may take.
struct RankShare {
  unsigned threads;
  std::uint64_t memory;
};

/// Collective.
RankShare share_of_rank(const ItemsetsOptions& options, const ItemsetsSettings& settings,
                        Communicator& ranks) {
  const RankPlace mine = own_place();
  const std::vector<RankPlace> all = all_places(mine, ranks);
  RankShare share{settings.machine.threads, settings.memory_limit};
  if (share.threads == 0) share.threads = suitable_threads(mine, all);
  if (options.memory_limit.empty()) {
    share.memory /= static_cast<std::uint64_t>(std::ranges::count_if(
        all, [&](const RankPlace& other) { return other.machine == mine.machine; }));
  }
  return share;
}

}  // namespace

ExitStatus run_itemset_job(const ItemsetsOptions& options, const ItemsetsSettings& settings,
                           const Context& context) {
  Communicator& ranks = context.communicator;
  std::unique_ptr<RootJob> root;
  on_root(ranks, [&] { root = std::make_unique<RootJob>(options, settings, context); });
  const RankShare share = share_of_rank(options, settings, ranks);
  std::optional<ThreadPool> pool;
  on_all(ranks, [&] { pool.emplace(share.threads); });
  const MemoryLimit memory(share.memory);
  std::optional<TransactionSet> read;
  on_root(ranks, [&] {
    read = within(memory, options.data + " takes", {},
                  [&] { return read_transactions(options.data, settings.form, context.report); });
  });
  const TransactionSet transactions = atl::share(std::move(read), ranks);
  ItemsetLimits limits = settings.limits;
  if (settings.min_support) {
    limits.min_count = settings.min_support->minimum_count(transactions.size());
  }
  on_root(ranks, [&] { root->begin(transactions, limits); });
  ExitStatus status = ExitStatus::done;
  if (transactions.size() >= limits.min_count) {
    std::unique_ptr<ItemsetCounter> device =
        device_of_rank(settings, transactions, limits, context);
    std::optional<RankSearch> search;
    on_all(ranks, [&] {
      search_within(memory, [&] {
        search.emplace(transactions, limits, !options.count_only, *pool, memory, std::move(device));
      });
    });
    std::exception_ptr error;
    try {
      if (root) {
        status = root->search(*search);
      } else {
        std::optional<StopSignals> signals;
        if (settings.to_file) signals.emplace();
        status = help_search(*search, ranks, [&] { return signals ? signals->count() : 0; });
      }
    } catch (...) {
      error = std::current_exception();
      if (root) root->say_how_to_go_on();
    }
    (void)ranks.drain(search_channel);  // of signals that came too late
    on_all(ranks, [&] {
      if (error) std::rethrow_exception(error);
    });
  }
  on_root(ranks, [&] { root->finish(status); });
  return status;
}

}  // namespace atl
