<html><?php
namespace A\B;
use C\D as E, F;
abstract class Sample extends Base implements I {
    use T;
    const X = 1;
    private static ?int $y = null;
    public function __construct(private readonly array $a = [1, 'k' => 2], string ...$rest) { parent::__construct(); }
    abstract protected function f(int|string $x): ?self;
}
function g(&$a, $b = true) {
    foreach ($a as $k => $v) { if ($k == 1) continue; elseif ($v) { break; } else echo "x $k {$v['a']}\n"; }
    for ($i = 0; $i < 3; $i++) { while (false) { $a[] = $i; } }
    switch ($b) { case 1: return null; default: throw new \Exception('x'); }
    try { $f = fn($x) => $x ?? 1; } catch (A | B $e) { } finally { unset($a); }
    $c = match (true) { $a > 1, $b => 'y', default => $this?->z };
    return $c instanceof A ? (int) $c : function () use ($a) { };
}
?>
<p><?= $x ?></p>
