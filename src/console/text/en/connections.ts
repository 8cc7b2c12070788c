export const texts = {
  title: 'connections',
}
