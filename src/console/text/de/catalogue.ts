import type { texts as english } from '../en/catalogue'

export const texts: typeof english = {
  title: 'catalogue',
}
