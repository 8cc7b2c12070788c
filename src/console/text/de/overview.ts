import type { texts as english } from '../en/overview'

export const texts: typeof english = {
  title: 'overview',
}
