import Type from 'typebox';
import { OperatorBooking, OperatorBookingDetail } from '../bookings/operate-schema.ts';
import { BookingPayment } from '../payments/operate-schema.ts';
import { Success, SuccessPage } from '../platform/schemas.ts';

/** Answers of /operator/bookings: bookings with their payments, each as its slice describes it. */

const payment = BookingPayment;
const BookingWithPayment = Type.Object({ ...OperatorBooking.properties, payment });
const BookingDetailWithPayment = Type.Object({ ...OperatorBookingDetail.properties, payment });
export const BookingsWithPaymentResponse = SuccessPage(BookingWithPayment);
export const BookingWithPaymentResponse = Success(BookingDetailWithPayment);
