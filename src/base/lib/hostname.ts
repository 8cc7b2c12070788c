import { isIP } from 'node:net'

const LABEL = /^(?!-)[a-z\d-]{1,63}(?<!-)$/

/**
 * A host name or an IP address as it is compared and stored: lower case, punycode, no dot at the end, IPv6 in its short
 * form and without brackets. Null for a text that is neither. A name has at least two labels and no wildcard.
 * `Bücher.example` gives `xn--bcher-kva.example`.
 */
export function hostnameOf(text: string): string | null {
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare) !== 0)
    return URL.parse(`http://${isIP(bare) === 6 ? `[${bare}]` : bare}`)?.hostname.replace(/^\[|\]$/g, '') ?? null
  if (/[^\p{L}\p{N}\p{M}.-]/u.test(bare)) return null
  const ascii = URL.parse(`http://${bare}`)?.hostname.replace(/\.$/, '') ?? ''
  const labels = ascii.split('.')
  const isName = ascii.length <= 253 && labels.length >= 2 && labels.every((label) => LABEL.test(label))
  // A last label of digits only is a wrong IPv4 address.
  return isName && !/^\d+$/.test(labels.at(-1) ?? '') ? ascii : null
}
