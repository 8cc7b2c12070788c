import type { texts as english } from '../en/charts'

export const texts: typeof english = {
  title: 'charts',
}
