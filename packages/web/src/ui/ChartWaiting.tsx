import { height } from './line-chart'
import { Bar } from './states'

const chartRoom = height + 44

export const ChartWaiting = () => <Bar $height={chartRoom} />
