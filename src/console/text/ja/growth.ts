import type { texts as english } from '../en/growth'

export const texts: typeof english = {
  title: 'growth',
}
