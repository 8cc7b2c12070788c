export const texts = {
  title: 'platform',
}
