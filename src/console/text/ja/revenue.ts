import type { texts as english } from '../en/revenue'

export const texts: typeof english = {
  title: 'revenue',
}
