'use strict';
// Reads values off the curves. The page is complete without it.
(() => {
  const run = JSON.parse(document.getElementById('run').textContent);
  const size = n => n < 1e3 ? `${n} B` : n < 1e6 ? `${(n / 1e3).toFixed(1)} kB` : `${(n / 1e6).toFixed(1)} MB`;
  document.querySelector('.readout').textContent = 'Point at a curve to read it.';
  for (const svg of document.querySelectorAll('svg.curve')) {
    const { axis, from, to, end } = svg.dataset;
    const field = axis === 'tests' ? 0 : 2;
    const hair = svg.querySelector('.hair');
    const readout = svg.parentElement.querySelector('.readout');
    svg.addEventListener('pointermove', event => {
      const box = svg.getBoundingClientRect();
      const x = (event.clientX - box.left) / box.width * svg.viewBox.baseVal.width;
      const at = Math.min(Math.max(x, +from), +to);
      const value = (at - from) / (to - from) * end;
      let low = 0, high = run.commits.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (run.commits[middle][field] <= value) low = middle + 1; else high = middle;
      }
      const best = run.commits[low - 1];
      hair.setAttribute('transform', `translate(${at} 0)`);
      hair.setAttribute('visibility', 'visible');
      readout.textContent = best
        ? `${size(best[3])} since test ${best[0]}, ${best[2].toFixed(2)} s: ${run.steps[best[5]].step}, ${best[6]}`
        : `${size(run.bytes_before)}, the original`;
    });
    svg.addEventListener('pointerleave', () => hair.setAttribute('visibility', 'hidden'));
  }
})();
