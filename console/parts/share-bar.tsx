/** A share as a bar; null: unknown. */
export function ShareBar({ share, label }: { share: number | null; label: string }) {
  return (
    <svg class="share-bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label={label}>
      <rect class="of" x={0} y={1} width={100} height={8} />
      <rect class="is" x={0} y={1} width={Math.min(share ?? 0, 1) * 100} height={8} />
    </svg>
  );
}
