import type { Texts } from '../catalogue'

export const texts: Texts['catalogue'] = {
  title: 'catalogue',
}
