import type { texts as english } from '../en/connections'

export const texts: typeof english = {
  title: 'connections',
}
