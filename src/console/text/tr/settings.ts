import type { Texts } from '../catalogue'

export const texts: Texts['settings'] = {
  title: 'settings',
}
