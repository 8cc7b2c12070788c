import type { Purchase } from './history'

/** The purchase with what its app said was shown before it, by its place in the list. Of some it said nothing. */
export const shown = (purchase: Purchase, index: number): Purchase => ({
  ...purchase,
  ...(index % 3 !== 0 && { offering: index % 2 === 0 ? 'default' : 'spring, 2024' }),
  ...(index % 4 !== 0 && { placement: ['onboarding', 'settings'][index % 2] ?? '' }),
  ...(index % 5 === 0 && { variant: `paywall:${'abc'[index % 3]}` }),
})
