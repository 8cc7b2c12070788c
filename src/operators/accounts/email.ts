import { Type } from '@sinclair/typebox'

/**
 * One address: no spaces, no signs that a mail header reads as several addresses, and a domain in ASCII, because
 * domains that look alike must not be equal to one of the platform.
 */
const ADDRESS = '^[^\\s@<>()\\[\\],;:"\\\\\\u0000-\\u001f\\u007f]{1,64}@[A-Za-z0-9]([A-Za-z0-9.-]{0,185}[A-Za-z0-9])?$'

export const EmailAddress = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: ADDRESS,
  examples: ['ada@example.com'],
})

const PATTERN = new RegExp(ADDRESS)

export const isEmailAddress = (text: string): boolean => text.length <= 254 && PATTERN.test(text)

/** The form in which addresses are compared: two people cannot have addresses that differ in case only. */
export const emailKey = (email: string): string => email.normalize('NFKC').toLowerCase()

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()
