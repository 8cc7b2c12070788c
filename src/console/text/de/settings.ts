import type { texts as english } from '../en/settings'

export const texts: typeof english = {
  title: 'settings',
}
