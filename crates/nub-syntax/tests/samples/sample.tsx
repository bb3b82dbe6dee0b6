import React, { useState } from 'react';
export function App({ items }: { items: string[] }): JSX.Element {
  const [n, setN] = useState<number>(0);
  return (
    <div className="app" onClick={() => setN(n + 1)} {...props}>
      {items.map((item, i) => <Item key={i} name={item} />)}
      <>text &amp; more</>
      {n > 3 ? <b>many</b> : null}
    </div>
  );
}
