import { Apple, CreditCard, Gift, Play, ShoppingBag } from 'lucide-react'
import { useText } from '../text/catalogue'
import { wordOf } from './words'

const ICONS = { IOS_STORE: Apple, ANDROID_STORE: Play, PAYMENT: CreditCard, MANUAL: Gift } as const

const iconOf = (store: string) => ICONS[store as keyof typeof ICONS] ?? ShoppingBag

/** A neutral shape and the store's name. */
export function StoreName({ store, isShort = false }: { store: string; isShort?: boolean }) {
  const word = wordOf(useText('common').storeNames, store)
  const Icon = iconOf(store)
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 align-middle" title={word}>
      <Icon aria-hidden size={14} className="shrink-0 text-ink-2" />
      <span className={isShort ? 'sr-only' : 'truncate'}>{word}</span>
    </span>
  )
}
