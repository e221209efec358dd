import Foundation
import Glibc

/// A program without what the compiler writes for debuggers, which valgrind cannot read. The file is removed with this object.
final class StrippedProgram {
  let path = NSTemporaryDirectory() + "cockpit-bench-\(getpid()).stripped"

  init(_ program: String) throws(BenchError) {
    guard Child.run(["/usr/bin/env", "strip", "--strip-debug", "-o", path, program]) != nil else {
      throw .client(name: program, "cannot be stripped")
    }
  }

  isolated deinit { unlink(path) }
}
