import type { Texts } from '../catalogue'

export const texts: Texts['revenue'] = {
  title: 'revenue',
}
