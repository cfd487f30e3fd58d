// Result<T>: a value, or the Status that says why there is none (std::expected is C++23).
#pragma once

#include <optional>
#include <utility>

#include "platform/core/check.h"
#include "platform/core/status.h"

namespace castor {

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Status status) : status_(std::move(status)) { CHECK(!status_.ok(), "a Result without value needs a failure"); }

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Status& status() const { return status_; }

  T& value() & {
    CHECK(ok(), "value of a failed Result");
    return *value_;
  }
  const T& value() const& {
    CHECK(ok(), "value of a failed Result");
    return *value_;
  }
  T&& value() && {
    CHECK(ok(), "value of a failed Result");
    return std::move(*value_);
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace castor
