#pragma once

#include <string_view>

namespace atl {

/// jobs/slurm.sh, in which @SHELL@, @DIRECTIVES@, @SETTINGS@ and @SETUP@ stand for what belongs to
/// a submission.
std::string_view job_template() noexcept;

}  // namespace atl
