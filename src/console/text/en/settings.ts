export const texts = {
  title: 'settings',
}
