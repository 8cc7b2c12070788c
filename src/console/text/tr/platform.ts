import type { texts as english } from '../en/platform'

export const texts: typeof english = {
  title: 'platform',
}
