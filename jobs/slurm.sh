#!@SHELL@
@DIRECTIVES@

# Written by atoll submit. Each job goes on where the last one stopped, and sees to it that there is
# a next one, until the run is finished.

@SETTINGS@

task=${SLURM_ARRAY_TASK_ID:-0}
run=${runs[task]}
jobs=${job_lists[task]}
# The number of one task of an array can also be that of them all.
job=$SLURM_JOB_ID
[ -z "${SLURM_ARRAY_TASK_ID:-}" ] || job=${SLURM_ARRAY_JOB_ID}_$task

again="sbatch $(printf %q "$script")"
say() { echo "$(date '+%F %T') job $job: $*"; }

# Slurm tells this shell alone to stop, some time before the end, and it tells the ranks. SIGTERM
# comes with scancel, at the end of the time and before preemption: Slurm knows which. The shell
# starts all that takes long in the background and waits for it, so that it hears at once.
ranks=''
told=''
cancelled=''
requeued=''
tell_ranks() {
  told=yes
  [ -z "$ranks" ] || kill -USR1 "$ranks" 2>/dev/null
}
on_term() {
  local left
  tell_ranks
  case " $(scontrol show job --oneliner "$job" 2>/dev/null) " in
    *" JobState=RUNNING "*) ;;
    *" JobState=TIMEOUT "* | *" Reason=TimeLimit "* | *" JobState=PREEMPTED "*)
      # Ranks that do not stop get half the time until Slurm kills this shell, too.
      left=$(scontrol show config | sed -n 's/^KillWait *= *\([0-9]*\).*/\1/p')
      [ -z "$ranks" ] || { sleep $((${left:-30} / 2)) && kill -KILL "$ranks" 2>/dev/null; } &
      ;;
    # A node has failed, and Slurm has put the job back into the queue.
    *" JobState=PENDING "* | *" JobState=REQUEUED "* | *" JobState=NODE_FAIL "*) requeued=yes ;;
    *) cancelled=yes ;;
  esac
}
trap tell_ranks USR1
trap on_term TERM

pause() {
  sleep "$1" &
  wait $!
}

# What atoll info tells of a key of the first level; nothing if the run is none or is damaged.
info() { "${atoll[@]}" info "$run" --json | sed -n "s/^  \"$1\": \"\{0,1\}\([^\",]*\).*/\1/p"; }

# Of a job that has begun: "start" if it has not ended. One that fails before says nothing of the run.
last_event() {
  [ -f "$run/log.jsonl" ] && [ ! -L "$run/log.jsonl" ] &&
    grep -E '^\{"event":"(start|end)",' "$run/log.jsonl" 2>/dev/null | tail -n 1
}

# How far a file is: it appears when all is done.
file_progress() {
  if [ -e "$run" ]; then
    echo finished
  elif [ -e "$run.checkpoint/state" ]; then
    echo "the checkpoint of $(date -r "$run.checkpoint/state" '+%F %T.%N')"
  else
    echo nothing
  fi
}

# Has a job begun, so that another one could still hold what it works on?
has_begun() {
  if [ "$makes" = file ]; then [ -d "$run.checkpoint" ]; else [ -e "$run/config.toml" ]; fi
}

# How far the run is. A run that is finished has its results once its log ends, and not by a stop.
progress() {
  local state=begun
  [ "$makes" != file ] || {
    file_progress
    return
  }
  [ ! -e "$run/config.toml" ] || state=$(info state)
  case $state in
    begun) echo nothing ;;
    unfinished) echo "generation $(info generation)" ;;
    finished)
      case $(last_event) in
        '{"event":"end",'*'"reason":"finished"'* | '{"event":"end",'*'"reason":"time limit"'*)
          echo finished ;;
        *) echo "finished but for its results" ;;
      esac
      ;;
    *) echo unknown ;;
  esac
}

# A node that is gone may hold its lock until the file server gives it up.
wait_for_owner() {
  local owner waited
  for ((waited = 0; waited < 300; waited += 5)); do
    has_begun && [ -z "$told" ] || return
    owner=$(info owner)
    [ -n "$owner" ] && [ "$owner" != null ] || return
    [ $waited -gt 0 ] || say "waiting for $owner, which holds $run"
    pause 5
  done
}

# Slurm's signal is the first way to stop in time; this is the second.
stop_after() {
  local end=${SLURM_JOB_END_TIME:-}
  [ -n "$end" ] || end=$(SLURM_TIME_FORMAT=standard squeue -h -j "$job" -o %e 2>/dev/null)
  case $end in
    '' | N/A | NONE | Unknown) return ;;
    *[!0-9]*) end=$(date -d "$end" +%s) || return ;;
  esac
  local left=$((end - $(date +%s) - (stop_before + 1) / 2))
  echo "--stop-after=$((left > 1 ? left : 1))s"
}

work() {
  local options words
  read -r -a options <<<"${machine_options[task]} $(stop_after)"
  if [ "$makes" = run ] && [ -e "$run/config.toml" ]; then
    words=(resume "$run")
  else
    words=("${begin[@]}" "$data" -o "$run" --config "${configurations[task]}")
  fi
  say "atoll ${words[*]} ${options[*]}"
  "${launcher[@]}" "${atoll[@]}" "${words[@]}" "${options[@]}" &
  ranks=$!
  [ -z "$told" ] || tell_ranks
  while kill -0 "$ranks" 2>/dev/null; do wait "$ranks"; done
  # A signal to this shell may have come just as they ended.
  wait "$ranks"
  status=$?
  ranks=''
}

go_on() {
  trap '' USR1 TERM
  local next
  # Whoever may change the script has it run as this user.
  if ! [ -O "$script" ] || [ -L "$script" ] || [ -n "$(find "$script" -perm /022)" ]; then
    say "$script is not this user's alone any more; submit again"
    exit 75
  fi
  if [ "$requeue" = yes ]; then
    scontrol requeue "$job" && exit 0
  elif next=$(sbatch --parsable --dependency="afterany:$job" \
    ${SLURM_ARRAY_TASK_ID:+--array=$task} "$script"); then
    say "job $next goes on"
    exit 0
  fi
  say "Slurm takes no further job; go on by hand: $again"
  exit 75
}

@SETUP@

# mpirun and what it has started on other nodes, should a link be cut, wait for each other for 25 s and
# not for 8 min.
export OMPI_MCA_oob_tcp_keepalive_time="${OMPI_MCA_oob_tcp_keepalive_time:-10}"
export OMPI_MCA_oob_tcp_keepalive_intvl="${OMPI_MCA_oob_tcp_keepalive_intvl:-5}"
export OMPI_MCA_oob_tcp_keepalive_probes="${OMPI_MCA_oob_tcp_keepalive_probes:-3}"

command -v "${atoll[0]}" >/dev/null || {
  say "${atoll[0]}: not found on $(hostname)"
  exit 69
}
if [ "$makes" = file ] && [ -e "$run" ] && [ ! -s "$jobs" ]; then
  say "$run is there already, and no job of this submission has made it; remove it, then: $again"
  exit 64
fi
wait_for_owner
before=$(progress)
if [ "$before" = finished ]; then
  say "$run is finished"
  exit 0
fi
echo "$(date '+%F %T') job $job, from $before" >>"$jobs"
number=$(wc -l <"$jobs")
say "job $number of $run, from $before"
status=75
[ -n "$told" ] || work
after=$(progress)
# srun gives 0, too, when Slurm could not launch them.
if [ "$after" = "$before" ] && [ -z "$told" ] && { [ $status -lt 64 ] || [ $status -gt 75 ]; }; then
  say "status $status without progress, which is none of atoll's: ranks may not have started; once more"
  pause 5
  [ -n "$told" ] || work
  after=$(progress)
fi
say "status $status, $after"

[ $status -ne 0 ] || status=75
if [ "$after" = finished ]; then
  if [ -n "$print" ]; then
    say "finished; print the rules: atoll $print $run"
  else
    say "finished: $run"
  fi
  exit 0
elif [ -n "$requeued" ]; then
  say "Slurm itself starts this job again"
elif [ -n "$cancelled" ]; then
  say "cancelled; to go on: $again"
elif case $(last_event) in '{"event":"end",'*'"reason":"stop file"'*) ;; *) false ;; esac then
  say "stopped by $run/stop; to go on: $again"
elif [ "$makes" = file ] && [ -e "$run.checkpoint/stop" ]; then
  say "stopped by $run.checkpoint/stop; to go on: $again"
elif [ $status -eq 64 ]; then
  say "another job works on $run, or an option is wrong; see above"
elif [ "$after" = "$before" ] || [ "$after" = unknown ]; then
  say "this job has brought the run no further, so there is no next one; see above why;" \
    "then: $again"
elif [ "$number" -ge "$max_jobs" ]; then
  say "there were max-jobs = $max_jobs jobs; to go on: atoll submit again"
else
  go_on
fi
exit $status
