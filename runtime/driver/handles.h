// Live<T>: which handles of one kind are alive. A CUDA handle is a pointer to our object; one that is not on the list is refused,
// never followed.
#pragma once

#include <mutex>
#include <shared_mutex>
#include <unordered_set>

namespace castor::driver {

template <class T>
class Live {
 public:
  static void add(const T* object) {
    const std::unique_lock lock(instance().mutex_);
    instance().objects_.insert(object);
  }
  static bool remove(const T* object) {
    const std::unique_lock lock(instance().mutex_);
    return instance().objects_.erase(object) != 0;
  }
  static bool contains(const void* object) {
    const std::shared_lock lock(instance().mutex_);
    return object != nullptr && instance().objects_.contains(static_cast<const T*>(object));
  }

 private:
  // Never destroyed: programs call us from their own static destructors.
  static Live& instance() {
    static Live* const live = new Live;
    return *live;
  }
  mutable std::shared_mutex mutex_;
  std::unordered_set<const T*> objects_;
};

}  // namespace castor::driver
