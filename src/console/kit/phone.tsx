import { type ReactNode, useSyncExternalStore } from 'react'

/** Below the first breakpoint of the styles. */
const PHONE = '(max-width: 767.98px)'

function subscribe(onChange: () => void): () => void {
  const media = matchMedia(PHONE)
  media.addEventListener('change', onChange)
  return () => media.removeEventListener('change', onChange)
}

/** Whether the window is as narrow as a phone. */
export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(PHONE).matches)

/** A row of a list on a phone, in two lines. None of it is a link or a button: the whole row is the target. */
export interface PhoneRow {
  icon?: ReactNode
  /** Who or what. */
  title: ReactNode
  amount?: ReactNode
  /** What happened or which state it is in. */
  detail?: ReactNode
  /** Where and when. */
  aside?: ReactNode
}

export const PhoneLines = ({ icon, title, amount, detail, aside }: PhoneRow) => (
  <span className="flex min-h-10 items-center gap-3">
    {icon}
    <span className="grid min-w-0 grow grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-3">
      <span className="truncate text-md font-medium">{title}</span>
      <span className="text-right text-md font-medium tabular-nums">{amount}</span>
      <span className="truncate text-xs text-ink-2">{detail}</span>
      <span className="text-right text-xs whitespace-nowrap text-ink-2">{aside}</span>
    </span>
  </span>
)
