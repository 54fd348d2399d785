subroutine prelu_f(n, x, w, y)
  integer, intent(in) :: n
  real(4), intent(in) :: x(n), w(n)
  real(4), intent(out) :: y(n)
  y = merge(x, w * x, x > 0.0)
end subroutine
subroutine prelu_d(n, x, w, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), w(n)
  real(8), intent(out) :: y(n)
  y = merge(x, w * x, x > 0.0)
end subroutine
