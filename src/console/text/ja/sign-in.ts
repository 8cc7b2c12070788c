import type { Texts } from '../catalogue'

export const texts: Texts['signIn'] = {
  title: 'sign-in',
}
