import Glibc

/// The system's short description of the error number `errno`.
package func systemMessage(_ errno: Int32) -> String { unsafe String(cString: strerror(errno)) }
