/** A figure with its sign of doubt: `≈` stands for every number the server did not report. */
export function Approx({ children, exact }: { children: string; exact?: boolean }) {
  return (
    <span className="num">
      {!exact && <span className="ap">≈</span>}
      {children}
    </span>
  )
}
