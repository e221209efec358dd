import Glibc

/// The sine of `radians`.
nonisolated package func sine(_ radians: Double) -> Double { Glibc.sin(radians) }
/// The cosine of `radians`.
nonisolated package func cosine(_ radians: Double) -> Double { Glibc.cos(radians) }
/// The angle of the direction (`x`, `y`) in radians, -pi...pi.
nonisolated package func angle(x: Double, y: Double) -> Double { Glibc.atan2(y, x) }
/// e to the power of `value`.
nonisolated package func exponential(_ value: Double) -> Double { Glibc.exp(value) }
/// The natural logarithm of `value`, which is positive.
nonisolated package func naturalLogarithm(_ value: Double) -> Double { Glibc.log(value) }
