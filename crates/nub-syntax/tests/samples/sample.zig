const std = @import("std");
// comment
pub const Point = struct {
    x: i32 = 0,
    y: ?*const u8,
    pub fn area(self: *Point, n: usize) !u32 {
        var total: u32 = 0;
        for (0..n) |i| { if (i == 3) continue else break; }
        while (total < 10) : (total += 1) { total *= 2; }
        const r = switch (n) { 1, 2 => 3, 4...6 => 7, else => return error.Bad };
        defer std.debug.print("{d}\n", .{r});
        return try f(total) catch 0;
    }
};
const Color = enum { red, green };
test "x" { try std.testing.expect(1 + 1 == 2); }
