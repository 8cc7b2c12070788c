import type { texts as english } from '../en/subscribers'

export const texts: typeof english = {
  title: 'subscribers',
}
