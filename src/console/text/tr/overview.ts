import type { Texts } from '../catalogue'

export const texts: Texts['overview'] = {
  title: 'overview',
}
