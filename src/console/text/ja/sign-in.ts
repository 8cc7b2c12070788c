import type { texts as english } from '../en/sign-in'

export const texts: typeof english = {
  title: 'sign-in',
}
