import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from 'react'
import { Link } from 'wouter'
import { cx } from '../lib/class-names'
import { toast } from './toast'

type Variant = 'primary' | 'plain' | 'quiet' | 'danger'

const BASE =
  'inline-flex h-7.5 max-md:h-9 items-center justify-center gap-1.5 rounded-control px-3 text-sm font-medium whitespace-nowrap transition-colors duration-100'

const VARIANTS: Record<Variant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover',
  plain: 'border border-line-2 bg-surface text-ink hover:bg-hover',
  quiet: 'text-ink-2 hover:bg-hover hover:text-ink',
  danger: 'bg-bad text-on-bad hover:opacity-95',
}

const DISABLED = 'border border-dashed border-line-2 bg-transparent text-ink-3 hover:bg-transparent'

interface Look {
  variant?: Variant
  icon?: ReactNode
}

export interface ButtonProps extends Look, ButtonHTMLAttributes<HTMLButtonElement> {
  /** Work is under way: the button stays where it is and takes no second click. */
  busy?: boolean
  /** Why it cannot be used now: its title, and what it says when it is pressed. Keys and fingers reach it, so it stays focusable. */
  reason?: string | null | undefined
}

export function Button({ variant = 'plain', icon, busy = false, reason, disabled, children, ...rest }: ButtonProps) {
  const isOff = disabled === true || Boolean(reason)
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled}
      aria-disabled={reason ? true : undefined}
      aria-busy={busy}
      title={reason ?? rest.title}
      onClick={reason ? (event) => tellReason(event, reason) : busy ? undefined : rest.onClick}
      className={cx(BASE, isOff ? DISABLED : VARIANTS[variant], rest.className)}
    >
      {busy ? <span aria-hidden className="size-1.5 animate-live rounded-full bg-current" /> : icon}
      {children}
    </button>
  )
}

/** Instead of the act. A button that submits is also pressed by Enter in a field of its form. */
function tellReason(event: MouseEvent, reason: string): void {
  event.preventDefault()
  toast(reason)
}

interface LinkButtonProps extends Look {
  href: string
  children: ReactNode
}

export const LinkButton = ({ href, variant = 'plain', icon, children }: LinkButtonProps) => (
  <Link href={href} className={cx(BASE, VARIANTS[variant])}>
    {icon}
    {children}
  </Link>
)

/** A link to a file that the browser saves. */
export const DownloadButton = ({ href, icon, children }: LinkButtonProps) => (
  <a href={href} download className={cx(BASE, VARIANTS.plain)}>
    {icon}
    {children}
  </a>
)

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Its name, for readers of the screen and as the title. */
  label: string
  children: ReactNode
}

export const IconButton = ({ label, children, className, ...rest }: IconButtonProps) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    {...rest}
    className={cx(
      'inline-flex size-7 shrink-0 items-center justify-center rounded-inner text-ink-2 transition-colors duration-100 hover:bg-hover hover:text-ink max-md:size-9',
      className,
    )}
  >
    {children}
  </button>
)
