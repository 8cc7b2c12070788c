import type { texts as english } from '../en/account'

export const texts: typeof english = {
  title: 'account',
}
