import { cx } from '../lib/class-names'

/** How much of something is done; without a share it only shows that it continues. */
export function Bar({ share, label }: { share: number | null; label: string }) {
  return (
    <progress
      aria-label={label}
      {...(share !== null && { value: share })}
      max={1}
      className={cx(
        'h-1.5 w-full appearance-none overflow-hidden rounded-full bg-track accent-(--accent) [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-value]:bg-accent',
        share === null ? 'animate-live [&::-webkit-progress-bar]:bg-d2' : '[&::-webkit-progress-bar]:bg-track',
      )}
    />
  )
}
