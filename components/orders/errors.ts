import { defineErrors } from '@steward/kernel';

export const ordersFail = defineErrors({
  payment_under_way: [409, 'A payment of the checkout is under way'],
  payment_state: [409, 'The payment is in a state that does not permit this'],
  amount_exceeds_open: [409, 'The amount is more than is open'],
  not_returnable: [409, 'It was not sent, or comes back already'],
  return_state: [409, 'The return is in a state that does not permit this'],
  refund_exceeds_line: [409, 'It was given back already'],
  refund_exceeds_captured: [409, 'More would be given back than was captured'],
  method_repeated: [422, 'A method is given twice'],
  order_cancelled: [409, 'The order is cancelled'],
  order_fulfilled: [409, 'Something of the order has left'],
  order_paid: [409, 'The order is paid'],
  order_changed: [409, 'The order has changed since it was read'],
  order_erased: [409, 'The buyer of the order was erased'],
  order_too_often_edited: [409, 'The order was edited too often'],
  line_refunded: [409, 'Something of it was paid back'],
  other_price: [409, 'It would have another price'],
  refund_exceeds_balance: [409, 'An edit left less over'],
  more_than_open: [409, 'Fewer pieces are left to send'],
});
