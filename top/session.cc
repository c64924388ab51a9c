// SPDX-License-Identifier: MIT
#include "top/session.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>
#include <vector>

#include "program/user_names.h"
#include "top/screen/frame.h"
#include "top/screen/keys.h"
#include "top/screen/time_bar.h"

namespace physmem::top {
namespace {

/// Interval at which requested details are waited for.
constexpr std::uint64_t kDetailsPollNs = kSecondNs / 20;

/// Blocks SIGWINCH, so that it is read from a file together with keys.
UniqueFd open_window_changes() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGWINCH);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return UniqueFd(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
}

}  // namespace

std::string UserNames::operator()(std::uint64_t uid) const {
  const std::string name = is_known_ ? user_name(uid) : "";
  return name.empty() ? std::to_string(uid) : name;
}

View view_of(const Options& options) {
  View view;
  view.order = options.order;
  view.selection = options.selection;
  view.is_tree = options.is_tree;
  view.interval_ns = options.interval_ns;
  return view;
}

Result<std::unique_ptr<Session>> Session::open(const Options& options, const History& history,
                                               RoundSource& source, UserNames names,
                                               std::size_t first) {
  std::unique_ptr<Session> session(new Session(options, history, source, names, first));
  session->window_changes_ = open_window_changes();
  Result<std::unique_ptr<Terminal>> terminal = Terminal::open();
  if (!terminal) return terminal.error();
  session->terminal_ = std::move(*terminal);
  return session;
}

Session::Session(const Options& options, const History& history, RoundSource& source,
                 UserNames names, std::size_t first)
    : history_(history),
      source_(source),
      is_replay_(!options.replay.empty()),
      file_(options.replay),
      view_(view_of(options)),
      user_names_(names) {
  if (is_replay_ && !history.is_empty()) view_.at_round = history.number(first);
}

Shown Session::shown() {
  view_.width = terminal_->width();
  view_.height = terminal_->height();
  Shown shown = look_at(history_, view_, std::ref(user_names_));
  shown.is_replay = is_replay_;
  shown.source = file_;
  if (is_replay_) shown.time_bar = time_bar(history_, shown.index, view_.width);
  shown.details = source_.details();
  shown.no_details = source_.no_details();
  return shown;
}

void Session::draw() {
  if (history_.is_empty()) return;
  terminal_->draw(frame(shown(), view_));
}

bool Session::awaits_details() const {
  if (view_.page != Page::kProcess || !source_.no_details().empty()) return false;
  const auto details = source_.details();
  return !details || details->pid != view_.pid;
}

void Session::handle_keys(bool& is_interval_changed) {
  while (const std::optional<Key> key = terminal_->read()) {
    const Shown now = shown();
    const Request request = press(*key, now, history_, view_);
    if (request == Request::kDetails)
      source_.request_details(view_.pid, history_.number(now.index));
    is_interval_changed = is_interval_changed || request == Request::kInterval;
    if (view_.is_over) return;
  }
}

void Session::wait_until(std::uint64_t deadline_ns) {
  Clock& clock = system_clock();
  bool is_interval_changed = false;
  while (!view_.is_over && !is_interval_changed) {
    const std::uint64_t now = clock.now_ns();
    if (now >= deadline_ns) return;
    const std::uint64_t until =
        awaits_details() ? std::min(deadline_ns, now + kDetailsPollNs) : deadline_ns;
    std::array<pollfd, 2> files{{{STDIN_FILENO, POLLIN, 0}, {window_changes_.get(), POLLIN, 0}}};
    const Woken woken = clock.wait_until(until, files);
    if (woken == Woken::kSignal) return;
    if (woken == Woken::kDeadline && until == deadline_ns) return;
    if ((files[0].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) view_.is_over = true;
    signalfd_siginfo change{};
    while (::read(window_changes_.get(), &change, sizeof change) > 0) terminal_->resize();
    handle_keys(is_interval_changed);
    draw();
  }
}

}  // namespace physmem::top
