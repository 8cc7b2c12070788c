import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { goTo, inEnvironment } from '../lib/keep-environment'

interface PlainLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string
}

/** A link to a screen for long lists: it does not listen to the address, as every other link does. */
export const PlainLink = ({ href, ...props }: PlainLinkProps) => (
  <a {...props} href={inEnvironment(href)} onClick={follow} />
)

function follow(event: MouseEvent<HTMLAnchorElement>): void {
  const { button, altKey, ctrlKey, metaKey, shiftKey, currentTarget } = event
  // The browser opens other tabs and windows by itself.
  if (event.defaultPrevented || button !== 0 || altKey || ctrlKey || metaKey || shiftKey) return
  event.preventDefault()
  goTo(currentTarget.getAttribute('href') ?? '/')
}
