export const texts = {
  title: 'charts',
}
