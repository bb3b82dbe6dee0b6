using System;
using static System.Math;
namespace A.B
{
    [Serializable]
    public sealed class Sample<T> : Base, IDisposable where T : class, new()
    {
        private readonly int[] table = { 1, 2, 3 };
        public string Name { get; private set; } = "x";
        public event EventHandler Changed;
        enum Color : byte { Red = 1, Green }
        public Sample(int n, string s = null, params object[] rest) : base(n) { Name = s ?? $"a{n:X}b"; }
        public int this[int i] => table[i];
        public static async Task<int> F(ref int a, out int b)
        {
            b = 1;
            foreach (var x in new List<int> { 1, 2 }) { if (x is > 1 and int y) continue; else break; }
            for (int i = 0; i < 3; i++) { lock (o) { a += i; } }
            switch (a) { case 1: case 2: return 0; default: throw new Exception("x"); }
            try { await G(); } catch (Exception e) when (e != null) { } finally { using var z = H(); }
            Func<int, int> f = v => v * 2;
            return a switch { 1 => 2, _ => (int)3.0 };
        }
    }
    public record Point(int X, int Y);
}
